/** Storage keys of the event list. They are in a separate module, so that other pages do not load them. */
export const VISIT_KEYS = {
  allClips: 'allClips',
  zoneDismissals: 'zoneDismissals',
} as const
