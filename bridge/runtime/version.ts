export const BRIDGE_VERSION = '0.1.0'
