import { useStore } from '@nanostores/react'
import { type ComponentType, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { $address, $videoSearchModal, openSearch } from '../../../../stores/events/event-address.ts'
import { $events } from '../../../../stores/events/events.ts'
import { closeSearch } from '../../../../stores/search/search-address.ts'
import { loadOnboarding } from '../../../../stores/search/search-onboarding.ts'
import { showToast } from '../../../../stores/shell/toasts.ts'
import { addStyleSheet } from '../../../../ui/style-sheet.ts'
import { SearchPopup } from './SearchPopup.tsx'
import styles from './search.css?url'

/** What leads to the search: its key, its popup, and its dialog, whose script and styles come when it opens. */
export function SearchDoor() {
  const isOpen = useStore($videoSearchModal)
  useSlashKey()
  useFocusBack(isOpen)
  useEffect(() => {
    if (isOpen) return void loadOnboarding()
    // The list comes first.
    return whenListed(() => void loadOnboarding())
  }, [isOpen])
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

/** Calls `act` once the list of events is there, or has failed. Ends with the returned function. */
function whenListed(act: () => void): () => void {
  let isDone = false
  const stop = $events.subscribe(({ state }) => {
    if (isDone || state === 'loading') return
    isDone = true
    act()
  })
  return stop
}

/** `/` opens the search, unless somebody is writing. */
function useSlashKey(): void {
  useEffect(() => {
    const onKey = (key: KeyboardEvent) => {
      if (key.key !== '/' || key.defaultPrevented || key.ctrlKey || key.metaKey || key.altKey) return
      if (key.target instanceof Element && key.target.closest('input, select, textarea, dialog')) return
      if ($videoSearchModal.get() || document.querySelector('dialog[open], [popover]:popover-open')) return
      key.preventDefault()
      openSearch()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

/** Closed, the dialog gives the focus to the event that it led to, to where it was, or to the way that leads into it. */
function useFocusBack(isOpen: boolean): void {
  const before = useRef<Element | null>(null)
  const wasOpen = useRef(false)
  useLayoutEffect(() => {
    const { activeElement } = document
    if (isOpen && !wasOpen.current) before.current = activeElement === document.body ? null : activeElement
  }, [isOpen])
  useEffect(() => {
    const isLost = document.activeElement === document.body || document.activeElement === null
    if (!isOpen && wasOpen.current && isLost) {
      const { open } = $address.get()
      const card = open && document.querySelector(`[data-event="${CSS.escape(open.eventId)}"]`)
      const last = before.current?.isConnected ? before.current : null
      const target = card ?? last ?? document.querySelector('.search-entry')
      if (target instanceof HTMLElement) target.focus({ preventScroll: true })
    }
    wasOpen.current = isOpen
  }, [isOpen])
}
