import { useStore } from '@nanostores/react'
import CalendarDays from 'lucide-react/icons/calendar-days'
import UserRound from 'lucide-react/icons/user-round'
import X from 'lucide-react/icons/x'
import { useEffect } from 'react'
import { rangeLabel } from '../../../domain/time/date-formats.ts'
import { DEFAULT_FILTER } from '../../../domain/events/event-url.ts'
import { listFilterLabels } from '../../../domain/search/search-request.ts'
import { includesOfferedRange, listOfferedRanges } from '../../../domain/search/offered-ranges.ts'
import { hasNamedDays } from '../../../domain/search/query-time.ts'
import { removePhrase } from '../../../domain/search/remove-phrase.ts'
import { $calendarPanels } from '../../../stores/events/calendar.ts'
import { $eventUrl, changeFilter, toggleCamera, togglePerson } from '../../../stores/events/event-url.ts'
import { $eventCameras } from '../../../stores/events/event-cameras.ts'
import { $eventTags } from '../../../stores/events/event-tags.ts'
import { $retention, loadRetention } from '../../../stores/events/retention.ts'
import { submitQuery } from '../../../stores/search/search-url.ts'
import { $search } from '../../../stores/search/search.ts'
import { $recommendations } from '../../../stores/search/search-suggestions.ts'
import { CameraFilter } from '../../../ui/CameraFilter.tsx'
import { DatesPanel } from '../../../ui/DatesPanel.tsx'
import { FilterMenu } from '../../../ui/FilterMenu.tsx'
import { PeoplePanel } from '../../../ui/PeoplePanel.tsx'
import { useNow } from '../../../ui/use-now.ts'
import { CameraChips } from './CameraChips.tsx'
import { QueryTimeChip, useQueryTime } from './QueryTimeChip.tsx'

/** Search suggestions, and the filters for cameras, days and people. */
export function SearchFilters() {
  const suggestions = useStore($recommendations)
  const { filter } = useStore($eventUrl)
  const cameras = useStore($eventCameras)
  const conditionTexts = listFilterLabels(filter)
  const namesCamera = useNamesCamera()
  const hasChips = useQueryTime() !== null || namesCamera
  const { kinds, tags, seen } = DEFAULT_FILTER
  return (
    <div className="search-filters">
      {hasChips ? (
        <div className="search-chips">
          <CameraChips />
          <QueryTimeChip />
        </div>
      ) : (
        <div className="search-try" role="group" aria-label="Try">
          {suggestions.length > 0 && <span aria-hidden>Try</span>}
          {suggestions.map(({ query }) => (
            <button key={query} type="button" className="chip" onClick={() => submitQuery(query)}>
              {query}
            </button>
          ))}
        </div>
      )}
      <div className="search-narrow">
        {conditionTexts.length > 0 && (
          <button
            type="button"
            className="chip"
            aria-pressed
            aria-label={`Remove filter: only ${conditionTexts.join(', ')}`}
            onClick={() => changeFilter({ kinds, tags, seen })}
          >
            Only {conditionTexts.join(', ')}
            <X size={16} aria-hidden />
          </button>
        )}
        <PeopleFilter />
        {/* Beside the chip of a camera that the query names, "All cameras" would contradict the chip. */}
        {(!namesCamera || filter.cameras.length > 0) && (
          <CameraFilter cameras={cameras} selectedIds={filter.cameras} onToggle={toggleCamera} />
        )}
        <DaysFilter />
      </div>
    </div>
  )
}

/** Returns true if the search understood a camera, which a chip then shows. */
function useNamesCamera(): boolean {
  const search = useStore($search)
  return (
    search.state === 'found' &&
    search.answer.said.cameras.some(({ said: phrase }) => removePhrase(search.query, phrase) !== search.query)
  )
}

/** Filter for days. If the query names days and the user has chosen no other days, no option is selected. */
function DaysFilter() {
  const { range } = useStore($eventUrl).filter
  const retention = useStore($retention)
  const months = useStore($calendarPanels)
  const now = useNow()
  useEffect(() => void loadRetention(), [])
  const offered = listOfferedRanges(retention?.keptSince ?? null, now)
  const areDaysNamed = hasNamedDays(useQueryTime()) && range === DEFAULT_FILTER.range
  const selectedDays = areDaysNamed
    ? null
    : (offered.find((option) => includesOfferedRange(range, option, now))?.days ?? range)
  const label =
    typeof selectedDays === 'number'
      ? `${selectedDays} days`
      : selectedDays
        ? rangeLabel(selectedDays.start, selectedDays.end)
        : 'Dates'
  return (
    <FilterMenu name="dates" label={label} Icon={CalendarDays} isActive={range !== 14}>
      {() => (
        <>
          <div className="seg m-1" role="group" aria-label="Days">
            {offered.map((option) => (
              <button
                key={option.days}
                type="button"
                aria-pressed={option.days === selectedDays}
                onClick={() => changeFilter({ range: option.range })}
              >
                {option.days} days
              </button>
            ))}
          </div>
          <DatesPanel
            selectedRange={range}
            kept={retention}
            months={months}
            onChange={(range) => changeFilter({ range })}
          />
        </>
      )}
    </FilterMenu>
  )
}

function PeopleFilter() {
  const { people } = useStore($eventUrl).filter
  const { face, friendlyFaces } = useStore($eventTags)
  const names = Object.values(friendlyFaces)
  if (names.length + people.length === 0) return null
  const label = people.length === 0 ? 'People' : people.length === 1 ? (people[0] ?? '') : `${people.length} people`
  return (
    <FilterMenu name="people" label={label} Icon={UserRound} isActive={people.length > 0}>
      {() => (
        <PeoplePanel
          names={[...names, ...people, ...face.map(({ name }) => name)]}
          selectedNames={people}
          onToggle={togglePerson}
        />
      )}
    </FilterMenu>
  )
}
