/* bcryptprimitives.dll for a Wine before 9, which has none: the Rust standard library takes random numbers from it. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID bytes, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T length) {
    while (length > 0) {
        ULONG part = length < 4096 ? (ULONG)length : 4096;
        if (!SystemFunction036(bytes, part)) return FALSE;
        bytes += part;
        length -= part;
    }
    return TRUE;
}
