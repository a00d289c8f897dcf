import { atom } from 'nanostores'

/**
 * State that a page shares with its search dialog. This module is separate, so that a first load contains no other
 * search code.
 */

/** True if the search dialog is open (SEARCH-16). */
export const $videoSearchModal = atom(false)

/** True while the page hides its search button or search link. */
export const $isSearchButtonHidden = atom(false)

/** True while another view, such as wall mode, replaces the page and offers no search. */
export const $isSearchUnavailable = atom(false)

/** True once the page's own island has hydrated. Until then, no code may change the stores that the island renders. */
export const $isPageHydrated = atom(false)

/** Returns true if a key press opens the search: `/` outside fields and dialogs, without a modifier key. */
export function isSearchKey(key: KeyboardEvent): boolean {
  if (key.key !== '/' || key.defaultPrevented || key.ctrlKey || key.metaKey || key.altKey) return false
  return !(key.target instanceof Element && key.target.closest('input, select, textarea, dialog'))
}
