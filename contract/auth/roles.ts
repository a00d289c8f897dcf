/** Roles of an account in a home, or for one of its cameras. */

export const OWNER = 1
/** The account is a member of the home, or the camera is shared with it. */
export const SHARED = 2
