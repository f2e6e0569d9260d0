# Sourced by ci/web.sh and ci/npm.sh: has the packages of package-lock.json in this folder, unless they are there.
# esbuild and tsc are programs that npm chooses by the machine; their scripts of installation only check that.
if ! cmp -s package-lock.json node_modules/installed.json; then
    run npm ci --silent --ignore-scripts
    cp package-lock.json node_modules/installed.json
fi
