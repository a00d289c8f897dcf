/** Storage keys of the player; a separate module that pages without a clip do not load. */
export const CLIP_KEYS = { showFound: 'showFound' } as const
