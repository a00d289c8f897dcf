const NONE: never[] = []

/**
 * Returns the camera list for the prerendered page: always the same array, because React compares the results by
 * identity.
 */
export const noCameras = () => NONE
