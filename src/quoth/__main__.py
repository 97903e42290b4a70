"""Run the command line as `python -m quoth`."""

from quoth.launch import main

if __name__ == "__main__":
    main()
