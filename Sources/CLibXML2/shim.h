// libxml2's headers would bring ICU's, which the toolchain's Foundation has, too, in another version.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/SAX2.h>
