/**
 * Messages of the health check over IPC. The supervisor sends the request to Node processes that it started, such as
 * the bridge. A healthy process responds immediately.
 */
export const HEALTH_CHECK_REQUEST = 'alive?'
export const HEALTH_CHECK_RESPONSE = 'alive'
