/** What the player keeps in browser storage: a file of its own, which pages without a clip do not fetch. */
export const CLIP_KEYS = { showFound: 'showFound' } as const
