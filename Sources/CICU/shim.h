#include <unicode/ucol.h>
#include <unicode/ucurr.h>
#include <unicode/uloc.h>
#include <unicode/unumberformatter.h>
#include <unicode/ustring.h>

// ICU's functions carry its version in their names (ucol_open_72) behind macros that Swift cannot read: these do not.

static inline UCollator *icu_openCollator(const char *locale, UErrorCode *status) { return ucol_open(locale, status); }
static inline void icu_closeCollator(UCollator *collator) { ucol_close(collator); }
static inline void icu_setAttribute(UCollator *collator, UColAttribute attribute, UColAttributeValue value,
                                    UErrorCode *status) {
    ucol_setAttribute(collator, attribute, value, status);
}
static inline UCollationResult icu_compare(const UCollator *collator, const char *a, int32_t aLength, const char *b,
                                           int32_t bLength, UErrorCode *status) {
    return ucol_strcollUTF8(collator, a, aLength, b, bLength, status);
}

static inline int32_t icu_localeCount(void) { return uloc_countAvailable(); }
static inline const char *icu_localeAt(int32_t index) { return uloc_getAvailable(index); }

static inline UNumberFormatter *icu_openFormatter(const UChar *skeleton, int32_t length, const char *locale,
                                                  UErrorCode *status) {
    return unumf_openForSkeletonAndLocale(skeleton, length, locale, status);
}
static inline void icu_closeFormatter(UNumberFormatter *formatter) { unumf_close(formatter); }
static inline UFormattedNumber *icu_openResult(UErrorCode *status) { return unumf_openResult(status); }
static inline void icu_closeResult(UFormattedNumber *result) { unumf_closeResult(result); }
static inline void icu_format(const UNumberFormatter *formatter, double number, UFormattedNumber *result,
                              UErrorCode *status) {
    unumf_formatDouble(formatter, number, result, status);
}
static inline int32_t icu_text(const UFormattedNumber *result, UChar *buffer, int32_t capacity, UErrorCode *status) {
    return unumf_resultToString(result, buffer, capacity, status);
}
static inline int32_t icu_currencyDigits(const UChar *currency, UErrorCode *status) {
    return ucurr_getDefaultFractionDigits(currency, status);
}

static inline int32_t icu_toUpper(UChar *to, int32_t capacity, const UChar *from, int32_t length, UErrorCode *status) {
    return u_strToUpper(to, capacity, from, length, "", status);
}
static inline int32_t icu_toLower(UChar *to, int32_t capacity, const UChar *from, int32_t length, UErrorCode *status) {
    return u_strToLower(to, capacity, from, length, "", status);
}
