// Sixteen numbers at a time, f32 in registers and bf16 in memory; rounding as `network.py` does it.
#pragma once

#include <immintrin.h>

#include <cstdint>
#include <cstring>

namespace tiles {

inline __m512 wide(const Half* from) {
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i*)from)), 16));
}
inline void narrow(Half* to, __m512 value) { _mm256_storeu_si256((__m256i*)to, (__m256i)_mm512_cvtneps_pbh(value)); }
inline float widened(Half value) {
    uint32_t bits = uint32_t(value) << 16;
    float result;
    memcpy(&result, &bits, 4);
    return result;
}
inline Half narrowed(float value) {
    uint32_t bits;
    memcpy(&bits, &value, 4);
    return Half((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}
// Multiples of powers of two `unit`, from `least` to `most` of them.
inline __m512 rounded(__m512 value, __m512 unit, float least, float most) {
    __m512 multiple = _mm512_div_ps(value, unit);
    multiple = _mm512_min_ps(_mm512_max_ps(multiple, _mm512_set1_ps(least)), _mm512_set1_ps(most));
    return _mm512_mul_ps(_mm512_roundscale_ps(multiple, 8), unit);
}
inline __m512 rounded(__m512 value, float unit, float least, float most) {
    return rounded(value, _mm512_set1_ps(unit), least, most);
}
// What a site that clips beyond `most` units leaves of a gradient.
inline __m512 within(__m512 gradient, __m512 value, __m512 unit, float most) {
    const __m512 largest = _mm512_mul_ps(unit, _mm512_set1_ps(most));
    return _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(_mm512_abs_ps(value), largest, _CMP_LT_OQ), gradient);
}
inline __m512 within(__m512 gradient, __m512 value, float unit, float most) {
    return within(gradient, value, _mm512_set1_ps(unit), most);
}
inline __m512 exponential(__m512 x) {
    x = _mm512_max_ps(x, _mm512_set1_ps(-87));
    __m512 n = _mm512_roundscale_ps(_mm512_mul_ps(x, _mm512_set1_ps(1.44269504f)), 8);
    __m512 r = _mm512_fnmadd_ps(n, _mm512_set1_ps(0.693147182f), x);
    __m512 p = _mm512_set1_ps(1.0f / 120);
    for (float c : {1.0f / 24, 1.0f / 6, 0.5f, 1.0f, 1.0f}) p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(c));
    return _mm512_scalef_ps(p, n);
}

}  // namespace tiles
