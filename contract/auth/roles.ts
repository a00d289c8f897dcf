/** Roles of an account in a home, or for one camera of a home. */

export const OWNER_ROLE = 1
/** The account is a member of the home, or the camera is shared with it. */
export const SHARED_ROLE = 2
