import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { DateRange } from '../../../domain/time/date-range.ts'
import { $calendarPanels } from '../../../stores/events/calendar.ts'
import { $eventFilter, changeFilter } from '../../../stores/events/event-url.ts'
import { $retention, loadRetention } from '../../../stores/events/retention.ts'
import { DatesPanel } from '../../../ui/DatesPanel.tsx'

export function DateFilter() {
  const { range } = useStore($eventFilter)
  const retention = useStore($retention)
  const months = useStore($calendarPanels)
  useEffect(() => void loadRetention(), [])
  return <DatesPanel selectedRange={range} kept={retention} months={months} onChange={changeRange} />
}

const changeRange = (range: DateRange) => changeFilter({ range })
