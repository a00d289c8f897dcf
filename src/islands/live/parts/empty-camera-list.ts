const EMPTY_LIST: never[] = []

/** Returns an empty camera list for the prerendered page: always the same array, because React compares by identity. */
export const getEmptyCameraList = () => EMPTY_LIST
