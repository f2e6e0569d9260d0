# Homebrew: brew install ./plyzip.rb
class Plyzip < Formula
  desc "@short_description@"
  homepage "@homepage@"
  version "@version@"
  license "@license@"

  on_macos do
    on_arm do
      url "@url:aarch64-apple-darwin@"
      sha256 "@sha256:aarch64-apple-darwin@"
    end
    on_intel do
      url "@url:x86_64-apple-darwin@"
      sha256 "@sha256:x86_64-apple-darwin@"
    end
  end

  on_linux do
    on_arm do
      url "@url:aarch64-unknown-linux-musl@"
      sha256 "@sha256:aarch64-unknown-linux-musl@"
    end
    on_intel do
      url "@url:x86_64-unknown-linux-musl@"
      sha256 "@sha256:x86_64-unknown-linux-musl@"
    end
  end

  def install
    bin.install "plyzip"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/plyzip.bash" => "plyzip"
    zsh_completion.install "completions/_plyzip"
    fish_completion.install "completions/plyzip.fish"
  end

  test do
    pgn = "[Event \"Casual\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n"
    (testpath/"game.pgn").write pgn
    system bin/"plyzip", "compress", "--fast", "game.pgn"
    assert_equal pgn, shell_output("#{bin}/plyzip -dc game.pgn.plz")
  end
end
