# Sourced by ci/training.sh and ci/reference.sh: $PYTHON names an interpreter that has training/requirements.txt; without
# it, a virtual environment is made.
if [ -z "${PYTHON:-}" ]; then
    venv=$PWD/target/venv
    PYTHON=$venv/bin/python
    if ! cmp -s training/requirements.txt "$venv/requirements.txt"; then
        python3 -m venv "$venv"
        "$PYTHON" -m pip install --quiet --disable-pip-version-check -r training/requirements.txt
        cp training/requirements.txt "$venv/"
    fi
    PATH=$venv/bin:$PATH
fi
