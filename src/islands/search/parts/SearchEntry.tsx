import { useStore } from '@nanostores/react'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { $eventUrl, syncEventUrl, openSearch } from '../../../stores/events/event-url.ts'
import { $hasNoCamera } from '../../../stores/home/has-no-camera.ts'
import { closeSearch } from '../../../stores/search/search-url.ts'
import { releaseShortcut } from '../../../stores/shell/held-shortcut.ts'
import { $isSearchUnavailable, $videoSearchModal, isSearchKey } from '../../../stores/shell/search-dialog.ts'
import { loadEnrollment } from '../../../stores/account/search-enrollment.ts'
import { showToast } from '../../../stores/shell/toasts.ts'
import { createDeferredComponent } from '../../../ui/lazy-component.tsx'
import { SearchPopup } from './SearchPopup.tsx'
import styles from './search.css?url'

/** Keyboard shortcut, hint and dialog of the search. The dialog's script and styles load when it first opens. */
export function SearchLauncher() {
  const hasNoCamera = useStore($hasNoCamera)
  const isUnavailable = useStore($isSearchUnavailable) || hasNoCamera
  const isOpen = useStore($videoSearchModal) && !isUnavailable
  useEffect(syncEventUrl, [])
  useSlashKey(isUnavailable)
  useRestoreFocus(isOpen)
  // Before the search opens, the page itself loads the search enrollment. The events page first loads its list.
  useEffect(() => void (isOpen && loadEnrollment()), [isOpen])
  if (isUnavailable) return null
  return isOpen ? (
    <LazySearchDialog
      props={{}}
      fallback={<div className="search-shell" role="status" aria-label="Loading search" />}
    />
  ) : (
    <SearchPopup styles={styles} />
  )
}

const LazySearchDialog = createDeferredComponent(async () => (await import('./SearchDialog.tsx')).SearchDialog, {
  styles,
  onFail: () => {
    closeSearch()
    showToast('error', 'We couldn’t load search. Check your connection and try again.')
  },
})

function useSlashKey(isUnavailable: boolean): void {
  useEffect(() => {
    if (releaseShortcut('/') && !isUnavailable && !$videoSearchModal.get()) openSearch()
    if (isUnavailable) return
    const onKey = (key: KeyboardEvent) => {
      if (!isSearchKey(key)) return
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
  }, [isUnavailable])
}

/**
 * Restores the focus after the search closes, unless an element already has the focus. Focuses the opened event, else
 * the element that had the focus before the search, else the search entry.
 */
function useRestoreFocus(isOpen: boolean): void {
  const previousFocus = useRef<Element | null>(null)
  const wasOpen = useRef(false)
  useLayoutEffect(() => {
    const { activeElement } = document
    if (isOpen && !wasOpen.current) previousFocus.current = activeElement === document.body ? null : activeElement
  }, [isOpen])
  useEffect(() => {
    // The page below the dialog is another React root. It must have rendered before it can take the focus.
    if (!isOpen && wasOpen.current) queueMicrotask(() => restoreFocus(previousFocus.current))
    wasOpen.current = isOpen
  }, [isOpen])
}

function restoreFocus(previousFocus: Element | null): void {
  if (document.activeElement !== document.body && document.activeElement !== null) return
  const { open } = $eventUrl.get()
  const card = open && document.querySelector(`[data-event="${CSS.escape(open.eventId)}"]`)
  const target = card ?? (previousFocus?.isConnected ? previousFocus : null) ?? document.querySelector('.search-entry')
  if (target instanceof HTMLElement) target.focus({ preventScroll: true })
}
