import { useStore } from '@nanostores/react'
import { type ComponentType, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { $address, syncWithUrl, openSearch } from '../../../stores/events/event-url.ts'
import { $hasNoCamera } from '../../../stores/home/has-no-camera.ts'
import { closeSearch } from '../../../stores/search/search-url.ts'
import { $isSearchAway, $videoSearchModal } from '../../../stores/shell/search-dialog.ts'
import { loadOnboarding } from '../../../stores/account/search-enrollment.ts'
import { showToast } from '../../../stores/shell/toasts.ts'
import { addStyleSheet } from '../../../ui/style-sheet.ts'
import { SearchPopup } from './SearchPopup.tsx'
import styles from './search.css?url'

/** Keyboard shortcut, hint and dialog of the search. The dialog's script and styles load when it first opens. */
export function SearchLauncher() {
  const hasNoCamera = useStore($hasNoCamera)
  const isAway = useStore($isSearchAway) || hasNoCamera
  const isOpen = useStore($videoSearchModal) && !isAway
  useEffect(syncWithUrl, [])
  useSlashKey(isAway)
  useFocusBack(isOpen)
  // While the search is closed, the page loads the onboarding state later, after its list.
  useEffect(() => void (isOpen && loadOnboarding()), [isOpen])
  if (isAway) return null
  return isOpen ? <LaterDialog /> : <SearchPopup styles={styles} />
}

let loaded: ComponentType | null = null

function LaterDialog() {
  const [Dialog, show] = useState(() => loaded)
  useEffect(() => {
    if (Dialog) return
    Promise.all([import('./SearchDialog.tsx'), addStyleSheet(styles)]).then(
      ([module]) => {
        loaded = module.SearchDialog
        show(() => loaded)
      },
      () => {
        closeSearch()
        showToast('error', 'The search did not load. Check your connection and try again.')
      },
    )
  }, [Dialog])
  return Dialog && <Dialog />
}

/** Opens the search by `/`, unless the user is typing. */
function useSlashKey(isAway: boolean): void {
  useEffect(() => {
    if (isAway) return
    const onKey = (key: KeyboardEvent) => {
      if (key.key !== '/' || key.defaultPrevented || key.ctrlKey || key.metaKey || key.altKey) return
      if (key.target instanceof Element && key.target.closest('input, select, textarea, dialog')) return
      if (
        $videoSearchModal.get() ||
        document.fullscreenElement ||
        document.querySelector('dialog[open], [popover]:popover-open')
      )
        return
      key.preventDefault()
      openSearch()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isAway])
}

/**
 * Restores the focus after the search closes: to the opened event, the element that had it before, or the search entry.
 */
function useFocusBack(isOpen: boolean): void {
  const before = useRef<Element | null>(null)
  const wasOpen = useRef(false)
  useLayoutEffect(() => {
    const { activeElement } = document
    if (isOpen && !wasOpen.current) before.current = activeElement === document.body ? null : activeElement
  }, [isOpen])
  useEffect(() => {
    // The page below the dialog is another React root. It must have rendered before it can take the focus.
    if (!isOpen && wasOpen.current) queueMicrotask(() => giveFocus(before.current))
    wasOpen.current = isOpen
  }, [isOpen])
}

function giveFocus(before: Element | null): void {
  if (document.activeElement !== document.body && document.activeElement !== null) return
  const { open } = $address.get()
  const card = open && document.querySelector(`[data-event="${CSS.escape(open.eventId)}"]`)
  const target = card ?? (before?.isConnected ? before : null) ?? document.querySelector('.search-entry')
  if (target instanceof HTMLElement) target.focus({ preventScroll: true })
}
