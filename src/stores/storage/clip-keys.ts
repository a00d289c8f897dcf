/** Storage keys of the player. They are in a separate module, so that pages without a clip do not load them. */
export const CLIP_KEYS = { showFound: 'showFound' } as const
