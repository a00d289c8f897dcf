import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { toggleEventSelection } from '../../../stores/events/event-selection.ts'
import { type DayBlock, type EventRow, listClipIds } from './list-layout.ts'

const findRowKey = (target: EventTarget) =>
  (target as Element).closest('li')?.querySelector<HTMLElement>('[data-row]')?.dataset['row'] ?? null

const LIST_KEYS: ReadonlySet<string> = new Set(['ArrowDown', 'ArrowUp', 'Home', 'End', 'x'])

/**
 * Handles the keys of the list: Up and Down, Home and End move the focus between rows, and X selects. Only one row is in
 * the tab order.
 */
export function useListKeys(blocks: readonly DayBlock[], reveal: (rowKey: string) => void) {
  const [tabStop, setTabStop] = useState<string | null>(null)
  const pendingFocus = useRef<string | null>(null)

  useEffect(() => {
    if (!pendingFocus.current) return
    const card = document.querySelector<HTMLElement>(`[data-row="${pendingFocus.current}"]`)
    if (!card) return
    pendingFocus.current = null
    card.focus({ preventScroll: true })
  })

  function onKeyDown(key: KeyboardEvent): void {
    if (!LIST_KEYS.has(key.key)) return
    const rows = blocks.flatMap((block) => block.rows)
    const rowKey = findRowKey(key.target)
    const at = rows.findIndex((row) => row.key === rowKey)
    if (at < 0) return
    if (key.key === 'x' && !key.ctrlKey && !key.metaKey && !key.altKey)
      return toggleEventSelection(listClipIds(rows[at] as EventRow))
    const row = rows[{ ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[key.key] ?? -1]
    if (!row) return
    key.preventDefault()
    pendingFocus.current = row.key
    setTabStop(row.key)
    reveal(row.key)
  }

  const onFocus = (focus: FocusEvent) => setTabStop(findRowKey(focus.target))
  return { tabStop, onKeyDown, onFocus }
}
