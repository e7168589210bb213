#pragma once

// The header of libstdc++, which writes an attribute as __noinline__, a word of CUDA.
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("__noinline__")
