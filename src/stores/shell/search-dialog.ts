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

/** True if the search key was pressed before the code of the search had loaded. */
let isSearchKeyHeld = false
let stopHolding = () => {}

/** Returns true if a key press opens the search: `/` outside fields and dialogs, without a modifier key. */
export function isSearchKey(key: KeyboardEvent): boolean {
  if (key.key !== '/' || key.defaultPrevented || key.ctrlKey || key.metaKey || key.altKey) return false
  return !(key.target instanceof Element && key.target.closest('input, select, textarea, dialog'))
}

/** Holds a press of the search key until `releaseSearchKey`. Returns a function that stops holding. */
export function holdSearchKey(): () => void {
  const onKey = (key: KeyboardEvent) => {
    if (!isSearchKey(key)) return
    key.preventDefault()
    isSearchKeyHeld = true
  }
  document.addEventListener('keydown', onKey)
  stopHolding = () => document.removeEventListener('keydown', onKey)
  return () => stopHolding()
}

/** Stops holding the search key. Returns true once if it was pressed. */
export function releaseSearchKey(): boolean {
  stopHolding()
  const wasHeld = isSearchKeyHeld
  isSearchKeyHeld = false
  return wasHeld
}
