#!/usr/bin/python3
"""Writes npz_reference.h: archives that NumPy made, for the tests of engine/formats/npz.

Run with Debian's python3-numpy:  /usr/bin/python3 tests/reference/make_npz_reference.py > tests/reference/npz_reference.h
"""
import io
import numpy as np


def archive(save, **arrays):
    buffer = io.BytesIO()
    save(buffer, **arrays)
    return buffer.getvalue()


def version_3(array):
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, version=(3, 0))
    return buffer.getvalue()


def emit(name, data):
    print(f"inline const unsigned char {name}[] = {{")
    for i in range(0, len(data), 24):
        print("    " + ", ".join(str(byte) for byte in data[i : i + 24]) + ",")
    print("};\n")


MATRIX = np.array([[1.5, -2.25, 3.0], [0.1, np.inf, -0.0]])
STACK = np.arange(24).reshape(2, 3, 4)


def main():
    print("// Made by make_npz_reference.py with NumPy", np.__version__)
    print("#pragma once\n\n// clang-format off")
    arrays = dict(
        f4=MATRIX.astype("<f4"),
        f8=MATRIX.astype("<f8"),
        fortran=np.asfortranarray(MATRIX.astype("<f4")),
        i4=STACK.astype("<i4"),
        i8=STACK.astype("<i8"),
        fortran_stack=np.asfortranarray(STACK.astype("<f8")),
        vector=np.array([7, -8], dtype="<i8"),
        scalar=np.array(2.5),
        mask=np.array([[True, False], [True, True]]),
    )
    emit("kStoredArchive", archive(np.savez, **arrays))
    emit("kDeflatedArchive", archive(np.savez_compressed, **arrays))
    emit("kVersion3Array", version_3(MATRIX.astype("<f4")))
    emit("kBigEndianArchive", archive(np.savez, x=MATRIX.astype(">f4")))
    emit("kTooGreatArchive", archive(np.savez, x=np.array([1.0, 1e39])))
    emit("kEmptyArchive", archive(np.savez, x=np.zeros((0, 3))))
    emit("kFourAxesArchive", archive(np.savez, x=np.zeros((1, 1, 1, 2))))


main()
