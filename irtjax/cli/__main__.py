"""`python -m irtjax.cli`, where the `irtjax` command is not installed."""

from . import main

if __name__ == "__main__":
    main()
