/** Said to the provider at every connection. */
export const BRIDGE_VERSION = '0.1.0'
