"""`python -m pipeport`, the same as the command `pipeport`."""

from pipeport.cli import main

if __name__ == "__main__":
    main(prog_name="pipeport")
