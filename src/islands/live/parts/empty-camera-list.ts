const NONE: never[] = []

/** What the prerendered shell shows; one array for ever, since React compares what it gets. */
export const noCameras = () => NONE
