#!/bin/sh
# Makes the .ll files of the .c files. Run it in this directory after changing those.
set -e
for name in c cpp containers exceptions; do
  clang -S -emit-llvm -O1 -fno-builtin -fno-vectorize -fno-slp-vectorize -fno-unroll-loops \
    -fno-stack-protector -fno-strict-aliasing -fomit-frame-pointer -fno-asynchronous-unwind-tables \
    --target=x86_64-linux-gnu \
    -w -o $name.ll $name.c
  # Attributes are for code generators, and metadata tells which clang it was.
  sed -i -e '/^!/d' -e '/^attributes/d' -e '/^; /d' -e '/^source_filename/d' -e 's/ #[0-9]*//g' \
    -e 's/, !tbaa ![0-9]*//' -e 's/, !llvm.loop ![0-9]*//' -e 's/, !srcloc ![0-9]*//' $name.ll
done
