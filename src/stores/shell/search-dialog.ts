import { atom } from 'nanostores'

/**
 * State shared by a page and its search. A separate module, because the first load of a page needs nothing else of the
 * search.
 */

/** True if the search dialog is open (SEARCH-16). */
export const $videoSearchModal = atom(false)

/** True while the page hides its button or link that opens search. */
export const $isEntryHidden = atom(false)

/** True while another view, such as wall mode, replaces the page and offers no search. */
export const $isSearchAway = atom(false)

/** True once the page's own island has hydrated. Before that, nothing may change the stores that it renders. */
export const $isPageHydrated = atom(false)
