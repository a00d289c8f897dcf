const NONE: never[] = []

/** Returns the list of the prerendered shell; always the same array, because React compares it. */
export const noCameras = () => NONE
