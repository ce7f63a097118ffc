#include <microhttpd.h>
#include <sys/socket.h>

/// A connection's socket, or -1. The library tells it by a variadic function, which Swift does not see.
static inline int microhttpd_connection_descriptor(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}
