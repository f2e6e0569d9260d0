#!/usr/bin/env bash
# Tests the program for Windows as scripts meet it: under Wine on Linux (apt-get install wine64), or by itself in Git's
# bash on Windows:
#
#     tests/windows.sh PLYZIP.EXE
#
# Round trips, the golden archives and their bytes, names of files, outputs that cannot be replaced, Ctrl-C, and a
# console. $PLYZIP names a program of this system that makes archives to compare with; without one only the golden
# archives are compared. What cannot be run is said in a line with NOT CHECKED.
set -euo pipefail
cd "$(dirname "$0")/.."

[ $# = 1 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" | sed '$d' >&2; exit 2; }
root=$PWD
exe=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
# File names beyond ASCII are those of the locale, for Wine.
export LC_ALL=C.UTF-8
wine=()
case "$(uname -s)" in
    MINGW* | MSYS* | CYGWIN*) ;;
    *)
        wine=("$(command -v wine64 || command -v wine || true)")
        [ -n "${wine[0]}" ] || { echo "wine is missing: apt-get install wine64" >&2; exit 1; }
        # A Windows of its own, without a window or a word of Wine's.
        export WINEPREFIX=$root/target/wine WINEDEBUG=-all DISPLAY=
        mkdir -p "$WINEPREFIX"
        "${wine[@]}" cmd /c exit > /dev/null 2>&1
        prng=$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll
        if [ ! -e "$prng" ]; then
            if command -v x86_64-w64-mingw32-gcc > /dev/null; then
                compiler=(x86_64-w64-mingw32-gcc)
            else
                compiler=(python3 -m ziglang cc -target x86_64-windows-gnu)
            fi
            "${compiler[@]}" -shared -o "$prng" tests/windows/prng.c -ladvapi32
        fi
        ;;
esac

# On a busy machine Wine kills a program that has ended and not gone within a second, which loses its exit status (137):
# what it wrote is whole, and is compared below.
plyzip() {
    local status=0
    "${wine[@]}" "$exe" "$@" || status=$?
    [ "$status" != 137 ] || [ ${#wine[@]} = 0 ] || status=0
    return "$status"
}

# windows PATH: as Windows names it.
windows() {
    if [ ${#wine[@]} -gt 0 ]; then
        "${wine[@]}" winepath -w "$1" | tr -d '\r'
    else
        cygpath -w "$1"
    fi
}

passed=0
ok() {
    passed=$((passed + 1))
    echo "ok: $*"
}

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# fails STATUS TEXT ARGUMENT...: the program ends with this status, and tells this text.
fails() {
    local status=137 tries=0
    while [ "$status" = 137 ] && [ $((tries++)) -lt 5 ]; do
        status=0
        "${wine[@]}" "$exe" "${@:3}" > told.txt 2>&1 || status=$?
    done
    [ "$status" = "$1" ] || fail "${*:3}: status $status, and not $1: $(cat told.txt)"
    grep -qF -- "$2" told.txt || fail "${*:3}: $(cat told.txt)"
}

scratch=$(mktemp -d)
held=
finish() {
    [ -z "$held" ] || kill "$held" 2> /dev/null || true
    rm -rf "$scratch"
}
trap finish EXIT
cd "$scratch"
if [ ${#wine[@]} -gt 0 ]; then
    # Wine boots for the first of its programs, and this one stays until its input ends.
    mkfifo held
    "${wine[@]}" cmd < held > /dev/null 2>&1 &
    sleep 100000 > held &
    held=$!
fi
cp "$root/samples/famous.pgn" .
awk -v games=24 -f "$root/tests/portability/games.awk" famous.pgn > generated.pgn
# No PGN, and no UTF-8; all ends of lines.
{
    printf '[Event "M\xfcnchen"]\r\n\r\n1. e4 e5 {sch\xf6n} 2. Ke3 \x1a\x00 Zz9 *\r\n\n\r'
    head -c 5000 "$exe"
} > odd.txt
printf '' > empty.pgn

plyzip --version | grep -q '^plyzip [0-9]' || fail "no version"
ok "$(plyzip --version | tr -d '\r')"

# Round trips by name and by pipe, which are binary.
for model in none standard; do
    for file in famous.pgn generated.pgn odd.txt empty.pgn; do
        plyzip compress -q -f --model "$model" "$file"
        plyzip test -q "$file.plz"
        plyzip decompress -q "$file.plz" -o back
        cmp "$file" back
        rm back
        plyzip compress -q --model "$model" - < "$file" > piped.plz
        plyzip decompress -q - < piped.plz | cmp - "$file"
        if [ -n "${PLYZIP:-}" ]; then
            "$PLYZIP" compress -q --model "$model" - < "$file" | cmp - piped.plz
            "$PLYZIP" decompress -q "$file.plz" -o - | cmp - "$file"
        fi
    done
    ok "round trips with $model${PLYZIP:+, and the bytes of $(basename "$PLYZIP")}"
done

# The golden archives, which other systems have written.
archives=$root/tests/archives/1
for golden in none standard-2; do
    plyzip compress -q --model "${golden%-2}" - < famous.pgn | cmp - "$archives/famous-$golden.plz"
done
ok "famous games give the golden archives"
decoded=0
for archive in "$archives"/*.plz; do
    name=$(basename "$archive")
    if [[ $name = game-max* ]] && [ -n "${NO_MAX:-}" ]; then
        echo "NOT CHECKED: $name, for NO_MAX"
        continue
    fi
    PLYZIP_MODELS=$(windows "$root/models") plyzip decompress -q - < "$archive" > original
    if [ -n "${PLYZIP:-}" ]; then
        PLYZIP_MODELS=$root/models "$PLYZIP" decompress -q "$archive" -o - | cmp - original
    fi
    decoded=$((decoded + 1))
done
rm original
ok "$decoded golden archives are decoded${PLYZIP:+ to the bytes of $(basename "$PLYZIP")}"

# Names.
folder="Ünï cödé – 棋 (2)"
mkdir -p "$folder/deep er"
file="$folder/deep er/Partie Nº 1 & Co.pgn"
cp famous.pgn "$file"
plyzip compress -q --fast "$file"
rm "$file"
plyzip decompress -q "$file.plz"
cmp famous.pgn "$file"
plyzip compress -q --fast -f -r "$folder"
plyzip list "$(windows "$scratch/$file.plz")" | grep -q Anderssen
plyzip compress -q --fast "$(windows "$scratch")\\famous.pgn" -o 'back\slash.plz' 2> /dev/null \
    && fail "a folder that is not there"
long=$(printf 'x%.0s' {1..200})
mkdir -p "$long"
cp famous.pgn "$long/games.pgn"
(cd "$long" && plyzip compress -q --fast games.pgn)
plyzip compress -q --fast -N famous.pgn -o named.plz
(mkdir named && cp named.plz named/ && cd named && plyzip decompress -q -N named.plz && cmp famous.pgn ../famous.pgn) \
    || fail "the stored name"
ok "spaces, letters beyond ASCII, backslashes, long names, stored names"

# Replacing and deleting.
fails 1 "exists (use -f to replace it)" compress -q --fast famous.pgn -o named.plz
plyzip compress -q --fast -f famous.pgn -o named.plz
cp famous.pgn copy.pgn
plyzip compress -q --fast --rm copy.pgn
[ ! -e copy.pgn ] || fail "--rm left its input"
plyzip decompress -q --rm copy.pgn.plz
[ ! -e copy.pgn.plz ] || fail "--rm left its input"
cmp copy.pgn famous.pgn
cp named.plz grown.plz
if plyzip append -q grown.plz generated.pgn 2> told.txt; then
    plyzip decompress -q grown.plz -o - | cmp - <(cat famous.pgn generated.pgn)
elif [ ${#wine[@]} -gt 0 ] && grep -q denied told.txt; then
    cmp grown.plz named.plz
    echo "NOT CHECKED: append, since a Wine before 9 replaces no file that is open (FILE_RENAME_POSIX_SEMANTICS)"
else
    fail "append: $(cat told.txt)"
fi
plyzip cat named.plz grown.plz -o both.plz
plyzip test -q both.plz
ok "-f, --rm, cat, append"

# An output that may not be replaced: read-only, and open in another program.
cp named.plz readonly.plz
chmod a-w readonly.plz
if [ ${#wine[@]} -gt 0 ] && [ "$(id -u)" = 0 ]; then
    # Wine as root may write everything; the attribute is Windows' own.
    "${wine[@]}" cmd /c "attrib +r readonly.plz" > /dev/null
fi
status=0
plyzip compress -q --fast -f generated.pgn -o readonly.plz > told.txt 2>&1 || status=$?
if [ "$status" = 0 ]; then
    plyzip decompress -q readonly.plz -o - | cmp - generated.pgn
    echo "a read-only output is replaced here"
else
    grep -q readonly.plz told.txt || fail "what is wrong with readonly.plz: $(cat told.txt)"
    cmp readonly.plz named.plz
fi
chmod u+w readonly.plz
if [ ${#wine[@]} -gt 0 ]; then
    # cmd has its own output open, and lets nobody delete it.
    printf '"%s" compress -q --fast -f generated.pgn -o open.plz > open.plz 2> told.txt\r\nexit %%errorlevel%%\r\n' \
        "$(windows "$exe")" > open.bat
    status=0
    "${wine[@]}" cmd /c open.bat > /dev/null 2>&1 || status=$?
    if [ "$status" = 0 ]; then
        echo "an open output is replaced here"
        plyzip decompress -q open.plz -o - | cmp - generated.pgn
    else
        grep -q open.plz told.txt || fail "what is wrong with open.plz: $(cat told.txt)"
    fi
fi
[ -z "$(find . -name '.plyzip-*')" ] || fail "temporary files are left: $(ls -A)"
ok "outputs that are read-only or open"

# Ctrl-C.
awk -v games=2000 -f "$root/tests/portability/games.awk" famous.pgn > long.pgn
if [ ${#wine[@]} -gt 0 ]; then
    # Background programs of a shell without job control ignore SIGINT.
    python3 - "${wine[@]}" "$exe" <<'END'
import os, signal, subprocess, sys, time
run = subprocess.Popen([*sys.argv[1:], "compress", "-q", "long.pgn"], preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
for _ in range(600):
    time.sleep(0.05)
    if any(name.startswith(".plyzip-") for name in os.listdir(".")):
        break
else:
    sys.exit("no temporary file appeared")
time.sleep(0.5)
os.kill(run.pid, signal.SIGINT)
status = run.wait(60)
left = [name for name in os.listdir(".") if name.startswith((".plyzip-", "long.pgn."))]
if left or status == 0:
    sys.exit(f"Ctrl-C: status {status}, left {left}")
print("Ctrl-C: status", status)
END
    ok "Ctrl-C leaves nothing"
else
    echo "NOT CHECKED: Ctrl-C, which Git's bash cannot send to a program"
fi

# A console: text in Latin-1 does not end the program, and is not lost when it is no console.
plyzip compress -q --fast -f odd.txt -o odd.plz
if command -v script > /dev/null; then
    printf '[Event "M\xfcnchen \xe2\x80\x93"]\n\n1. e4 *\n' > latin.pgn
    plyzip compress -q --fast -f latin.pgn -o latin.plz
    script -qec "$(printf '%q ' "${wine[@]}" "$exe" decompress -q latin.plz -o -)" typescript > /dev/null < /dev/null \
        || fail "a console and Latin-1: $(cat typescript)"
    grep -qa '1\. e4' typescript || fail "a console shows no text: $(cat typescript)"
    script -qec "$(printf '%q ' "${wine[@]}" "$exe" compress --fast -f famous.pgn -o seen.plz)" typescript \
        > /dev/null < /dev/null || fail "a console: $(cat typescript)"
    grep -qa 'famous.pgn' typescript || fail "a console shows no report: $(cat typescript)"
    ok "a console, with text in Latin-1"
else
    echo "NOT CHECKED: a console, for want of script (Debian: bsdutils)"
fi
plyzip explain -q famous.pgn --game 1 --model none | grep -q '1. *e4' || fail "explain"
plyzip help compress | grep -q -- --page-games || fail "help"
ok "explain and help"
echo "$passed passed, 0 failed"
