"""Run a .NET program: ``dotnet.py LIBHOSTFXR PROGRAM.dll``, as the ``dotnet`` command does.

The .NET runtime is installed from a wheel that has no ``dotnet`` command, only the library behind it.
"""

import ctypes
import sys
from pathlib import Path

library = Path(sys.argv[1])
arguments = [str(library.parents[3] / "dotnet"), *sys.argv[2:]]
sys.exit(
    ctypes.CDLL(str(library)).hostfxr_main(
        len(arguments), (ctypes.c_char_p * len(arguments))(*(text.encode() for text in arguments))
    )
)
