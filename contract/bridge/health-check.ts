/**
 * Messages of the health check. The supervisor sends the request to each process that it started, and a healthy process
 * responds immediately.
 */
export const HEALTH_CHECK_REQUEST = 'alive?'
export const HEALTH_CHECK_RESPONSE = 'alive'
