import { atom } from 'nanostores'

/** What a page and its search tell each other; alone, for pages that need nothing else of the search at first. */

/** Whether the search dialog is open (SEARCH-16). */
export const $videoSearchModal = atom(false)

/** Whether the page hides what leads to the search for now. */
export const $isEntryHidden = atom(false)

/** Whether the page has put something in its own place, from where nothing leads to the search. */
export const $isSearchAway = atom(false)

/** The page's own island has hydrated. Before that, nothing may change the stores that it renders. */
export const $isPageHydrated = atom(false)
