import { useStore } from '@nanostores/react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useMemo } from 'react'
import { eventHref, $address } from '../../../stores/event-address.ts'
import { $cameraNames } from '../../../stores/event-cameras.ts'
import { DaySection } from './DaySection.tsx'
import { NewEvents } from './NewEvents.tsx'
import { type DayBlock, DAY_HEIGHT, placeOf, rowHeights } from './rows.ts'
import { useListKeys } from './use-list-keys.ts'
import { useNow } from './use-now.ts'

/** Only what can be seen, and a little around it, is in the document. */
const OVERSCAN = 6

interface EventWindowProps {
  readonly blocks: readonly DayBlock[]
  readonly scroller: RefObject<HTMLDivElement | null>
  /** Height of what stands above the list in the scroller. */
  readonly margin: number
}

export function EventWindow({ blocks, scroller, margin }: EventWindowProps) {
  const heights = useMemo(() => rowHeights(blocks), [blocks])
  const address = useStore($address)
  const names = useStore($cameraNames)
  const now = useNow()
  const rows = useVirtualizer({
    count: heights.length,
    getScrollElement: () => scroller.current,
    estimateSize: (row) => heights[row] ?? 0,
    overscan: OVERSCAN,
    scrollMargin: margin,
    scrollPaddingStart: DAY_HEIGHT,
    scrollPaddingEnd: 8,
  })
  useEffect(() => rows.measure(), [rows, heights])
  const { tabStop, onKeyDown, onFocus } = useListKeys(blocks, (row) => rows.scrollToIndex(row, { align: 'auto' }))

  const items = rows.getVirtualItems()
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? -1]
  const visible = blocks.filter(({ row, events }) => row + events.length >= first && row <= last)
  const openId = address.open?.eventId ?? ''

  useEffect(() => {
    const place = openId ? placeOf(blocks, openId) : null
    if (place) rows.scrollToIndex(place.row, { align: 'auto' })
    // Only when another event opens: the list stays where it is while events come in.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [openId, rows])

  const rendered = visible.flatMap(({ row, events }) => events.slice(Math.max(0, first - row - 1), Math.max(0, last - row)))
  const stop = [tabStop, openId].find((id) => rendered.some((event) => event.event_id === id)) ?? rendered[0]?.event_id

  return (
    <>
      <NewEvents blocks={blocks} scroller={scroller} margin={margin} />
      <div data-list className="relative" style={{ height: rows.getTotalSize() }} onKeyDown={onKeyDown} onFocus={onFocus}>
        {visible.map((block) => (
          <DaySection
            key={block.day}
            block={block}
            from={Math.max(0, first - block.row - 1)}
            to={Math.max(0, last - block.row)}
            now={now}
            names={names}
            openId={openId}
            tabStop={stop}
            href={(event) => eventHref(address, { eventId: event.event_id, deviceId: event.device_id })}
          />
        ))}
      </div>
    </>
  )
}
