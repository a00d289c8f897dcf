import { useStore } from '@nanostores/react'
import CalendarDays from 'lucide-react/icons/calendar-days'
import UserRound from 'lucide-react/icons/user-round'
import X from 'lucide-react/icons/x'
import { useEffect } from 'react'
import { rangeLabel } from '../../../domain/time/date-formats.ts'
import { DEFAULT_FILTER } from '../../../domain/events/event-url.ts'
import { conditions } from '../../../domain/search/search-request.ts'
import { isOffered, offeredDays } from '../../../domain/search/offered-ranges.ts'
import { namesDays } from '../../../domain/search/query-time.ts'
import { $calendarPanels } from '../../../stores/events/calendar.ts'
import { $address, changeFilter } from '../../../stores/events/event-url.ts'
import { $eventCameras } from '../../../stores/events/event-cameras.ts'
import { $eventTags } from '../../../stores/events/event-tags.ts'
import { $retention, loadRetention } from '../../../stores/events/retention.ts'
import { submitQuery } from '../../../stores/search/search-url.ts'
import { $recommendations } from '../../../stores/search/search-suggestions.ts'
import { CameraFilter } from '../../../ui/CameraFilter.tsx'
import { DatesPanel } from '../../../ui/DatesPanel.tsx'
import { FilterMenu } from '../../../ui/FilterMenu.tsx'
import { PeoplePanel } from '../../../ui/PeoplePanel.tsx'
import { useNow } from '../../../ui/use-now.ts'
import { TimeChip, useAskedTime } from './QueryTimeChip.tsx'

/** Search suggestions, and the filters for cameras, days and people. */
export function SearchFilters() {
  const recommended = useStore($recommendations)
  const { filter } = useStore($address)
  const cameras = useStore($eventCameras)
  const words = conditions(filter)
  const { kinds, tags, seen } = DEFAULT_FILTER
  return (
    <div className="search-filters">
      <div className="search-try" role="group" aria-label="Try">
        {recommended.length > 0 && <span aria-hidden>Try</span>}
        {recommended.map(({ query }) => (
          <button key={query} type="button" className="chip" onClick={() => submitQuery(query)}>
            {query}
          </button>
        ))}
      </div>
      <TimeChip />
      <div className="search-narrow">
        {words.length > 0 && (
          <button
            type="button"
            className="chip"
            aria-pressed
            aria-label={`Only ${words.join(', ')}: show everything`}
            onClick={() => changeFilter({ kinds, tags, seen })}
          >
            Only {words.join(', ')}
            <X size={16} aria-hidden />
          </button>
        )}
        <PeopleFilter />
        <CameraFilter cameras={cameras} chosen={filter.cameras} onChange={(cameras) => changeFilter({ cameras })} />
        <DaysFilter />
      </div>
    </div>
  )
}

/** Filter for days, limited to those that the plan keeps. If the query names a time, no option is preselected. */
function DaysFilter() {
  const { range } = useStore($address).filter
  const retention = useStore($retention)
  const months = useStore($calendarPanels)
  const now = useNow()
  useEffect(() => void loadRetention(), [])
  const offered = offeredDays(retention?.keptSince ?? null, now)
  const isNamed = namesDays(useAskedTime()) && range === DEFAULT_FILTER.range
  const chosen = isNamed ? null : (offered.find((option) => isOffered(range, option, now))?.days ?? range)
  const label = typeof chosen === 'number' ? `${chosen} days` : chosen ? rangeLabel(chosen.start, chosen.end) : 'Days'
  return (
    <FilterMenu name="dates" label={label} Icon={CalendarDays} isOn={range !== 14}>
      {() => (
        <>
          <div className="seg m-1" role="group" aria-label="Days">
            {offered.map((option) => (
              <button
                key={option.days}
                type="button"
                aria-pressed={option.days === chosen}
                onClick={() => changeFilter({ range: option.range })}
              >
                {option.days} days
              </button>
            ))}
          </div>
          <DatesPanel chosen={range} kept={retention} months={months} onChange={(range) => changeFilter({ range })} />
        </>
      )}
    </FilterMenu>
  )
}

/** Shown only if a person has a name. */
function PeopleFilter() {
  const { people } = useStore($address).filter
  const { face, friendlyFaces } = useStore($eventTags)
  const names = Object.values(friendlyFaces)
  if (names.length + people.length === 0) return null
  const label = people.length === 0 ? 'People' : people.length === 1 ? (people[0] ?? '') : `${people.length} people`
  return (
    <FilterMenu name="people" label={label} Icon={UserRound} isOn={people.length > 0}>
      {() => (
        <PeoplePanel
          names={[...names, ...people, ...face.map(({ name }) => name)]}
          chosen={people}
          onChange={(people) => changeFilter({ people })}
        />
      )}
    </FilterMenu>
  )
}
