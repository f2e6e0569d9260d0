# Prints games in PGN, made from those that are read: beginnings of their lines under other names and with other
# annotations, and random games whose moves are legal by their making (pawns that meet nobody, kings far apart).
#
#     awk -v games=48 -f games.awk samples/famous.pgn

# A whole number from 0 to bound - 1, the same with every awk: all products stay below 2^53.
function below(bound) {
    state = (state * 16807) % 2147483647
    return state % bound
}

function pick(list,    words) {
    return words[1 + below(split(list, words, "|"))]
}

function two(number) {
    return sprintf("%02d", number)
}

function tag(name, value) {
    printf "[%s \"%s\"]\n", name, value
}

# The moves of a game that was read, up to a ply of any kind.
function beginning(    words, plies, ply, most) {
    plies = split(lines[1 + below(line_count)], words, " ")
    most = 1 + below(plies)
    for (ply = 1; ply <= most; ply++) {
        moves[ply] = words[ply]
    }
    return most
}

# Steps of pawns, white's on ranks 2 to 4, black's on ranks 7 to 5, each by one square, in any order: they give no check.
function pawns(    ply, file, white, black, side, most) {
    most = 2 * (1 + below(16))
    for (file = 1; file <= 8; file++) {
        white[file] = 2
        black[file] = 7
    }
    for (ply = 1; ply <= most; ply++) {
        side = ply % 2
        do {
            file = 1 + below(8)
        } while (side ? white[file] == 4 : black[file] == 5)
        moves[ply] = substr("abcdefgh", file, 1) (side ? ++white[file] : --black[file])
    }
    return most
}

# Steps of kings, white's on ranks 1 and 2, black's on ranks 7 and 8, pawns between them.
function kings(    ply, file, rank, side, to, most) {
    most = 1 + below(60)
    file[0] = file[1] = 5
    rank[1] = 1
    rank[0] = 8
    for (ply = 1; ply <= most; ply++) {
        side = ply % 2
        do {
            to = file[side] - 1 + below(3)
        } while (to < 1 || to > 8)
        if (to == file[side] || below(2)) {
            rank[side] = (side ? 3 : 15) - rank[side]
        }
        file[side] = to
        moves[ply] = "K" substr("abcdefgh", to, 1) rank[side]
    }
    return most
}

function clock(seconds) {
    return int(seconds / 3600) ":" two(int(seconds / 60) % 60) ":" two(seconds % 60)
}

# Annotations of the move that was just printed.
function annotation(style, ply,    text) {
    text = ""
    if (style == 1) {
        left[ply % 2] -= below(20)
        text = " { [%clk " clock(left[ply % 2]) "] }"
    } else if (style == 2) {
        text = " { [%eval " (below(2) ? "" : "-") below(4) "." two(below(100)) "] }"
    } else if (style == 3) {
        if (below(6) == 0) {
            text = " $" 1 + below(20)
        }
        if (below(8) == 0) {
            text = text " {" pick("A quiet move|Black is better|The only move|After this, nobody can win|Zugzwang")
            text = text pick(".|,|!|: see above.|é") "}"
        }
    }
    return text
}

function movetext(plies, style, result,    ply, word, line, number, after) {
    line = ""
    after = 1
    left[0] = left[1] = 60 * (15 + below(100))
    for (ply = 1; ply <= plies; ply++) {
        number = int((ply + 1) / 2)
        word = ply % 2 ? number ". " : (after ? number "... " : "")
        if (ply == 1) {
            word = "1. "
        }
        word = word moves[ply] annotation(style, ply)
        after = (style == 1 || style == 2)
        if (style == 3 && below(12) == 0) {
            word = word " (" number (ply % 2 ? ". " : "... ") moves[ply] (below(2) ? " {once more}" : "") ")"
            after = 1
        }
        line = line (ply > 1 ? " " : "") word
    }
    line = line (plies ? " " : "") result
    wrap(line, style == 0 ? 80 : 4000)
}

# Prints a line in pieces of at most so many characters, as PGN is written.
function wrap(line, width,    words, count, i, piece) {
    count = split(line, words, " ")
    piece = words[1]
    for (i = 2; i <= count; i++) {
        if (length(piece) + 1 + length(words[i]) >= width) {
            print piece
            piece = words[i]
        } else {
            piece = piece " " words[i]
        }
    }
    print piece
}

function game(number,    plies, style, result, kind, white) {
    split("", moves)
    style = below(4)
    kind = below(6)
    result = pick("1-0|0-1|1/2-1/2|*")
    white = pick("Adams, Anna|Bora, Emil|Cohn, Ida|Dal, Lev|Eng, Ove|Falk, Una")
    tag("Event", pick("Club Open|Winter Cup|Rapid " 2000 + below(25) "|?"))
    tag("Site", pick("Ulm GER|Turku FIN|Oslo NOR|?"))
    tag("Date", 1990 + below(34) "." two(1 + below(12)) "." pick("??|" two(1 + below(28))))
    tag("Round", 1 + int(number / 4) pick("|." 1 + below(9)))
    tag("White", white)
    tag("Black", pick("Gray, Kim|Hill, Noa|Ito, Ren|Jonas, Pia|Krog, " substr("ABCDEFGH", 1 + below(8), 1)))
    tag("Result", result)
    if (below(2)) {
        tag("WhiteElo", 1400 + below(1300))
        tag("BlackElo", 1400 + below(1300))
    }
    if (kind == 0) {
        tag("SetUp", "1")
        tag("FEN", "4k3/8/p6p/8/8/P6P/8/4K3 w - - 0 1")
        plies = kings()
    } else if (kind == 1) {
        plies = pawns()
    } else {
        plies = beginning()
    }
    if (below(3) == 0) {
        tag("PlyCount", plies)
    }
    if (style == 1) {
        tag("TimeControl", pick("900+10|5400+30|300"))
    }
    print ""
    movetext(plies, style, result)
    print ""
}

/^\[/ || /^$/ {
    if (text != "") {
        # Comments and variations go, the innermost first; then annotations and numbers.
        gsub(/\{[^}]*\}/, "", text)
        while (gsub(/\([^()]*\)/, "", text)) {}
        gsub(/\$[0-9]+|[0-9]+\.+/, "", text)
        sub(/(1-0|0-1|1\/2-1\/2|\*) *$/, "", text)
        # Games from a start of their own would not be legal under other tags.
        if (!from_a_start) {
            lines[++line_count] = text
        }
        from_a_start = 0
    }
    text = ""
    if (/^\[FEN/) {
        from_a_start = 1
    }
    next
}

{
    text = text " " $0
}

END {
    state = 20231
    for (number = 0; number < games; number++) {
        game(number)
    }
}
