/**
 * Content of the skeletons in the prerendered document: everything that is known before the data. Only the prerenderer
 * loads this file (skeletons.tsx). layouts/SkeletonDates.astro fills in dates and hours.
 */
import Info from 'lucide-react/icons/info'
import Layers from 'lucide-react/icons/layers'
import List from 'lucide-react/icons/list'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import ZoomIn from 'lucide-react/icons/zoom-in'
import ZoomOut from 'lucide-react/icons/zoom-out'
import { wholeHourLabel } from '../../../domain/time/hour-label.ts'

const FIGURES = ['Events today', 'In this range', 'Most active', 'Busiest hour']
const HEAT_LEVELS = ['bg-sunken', 'heat-1', 'heat-2', 'heat-3', 'heat-4']
const LABELED_HOURS = [0, 3, 6, 9, 12, 15, 18, 21]

/** Key figures, timeline and busy hours (EventsOverview.tsx). */
export function OverviewContent() {
  return (
    <div className="overview-skeleton" inert>
      <div className="panel divide-line grid auto-cols-fr grid-flow-col divide-x py-4">
        {FIGURES.map((label) => (
          <div key={label} className="px-4.5">
            <p className="text-small text-ink-2 font-semibold">{label}</p>
            <i className="skeleton mt-1 block h-6 w-16" />
            <i className="skeleton mt-1.5 block h-3 w-28" />
          </div>
        ))}
      </div>
      <div className="panel timeline-skeleton">
        <header>
          <h2>Last 24 hours</h2>
          <i className="skeleton h-3 w-40" />
          <span className="seg">
            <button type="button" aria-pressed>
              24 h
            </button>
            <button type="button">3 h</button>
            <button type="button">30 min</button>
          </span>
          <button type="button" className="icon-btn" aria-label="Zoom out">
            <ZoomOut size={18} aria-hidden />
          </button>
          <button type="button" className="icon-btn" aria-label="Zoom in">
            <ZoomIn size={18} aria-hidden />
          </button>
        </header>
        <div className="timeline-skeleton-rows">
          <AxisContent hours={3} />
          <span>Camera on</span>
          <i className="skeleton" />
          <i className="skeleton" />
          <i className="skeleton" />
        </div>
        <i className="skeleton timeline-skeleton-legend" />
      </div>
      <div className="panel hours-skeleton">
        <header>
          <h2>Busy hours</h2>
          <i className="skeleton h-3 w-60" />
          <span>
            Quiet
            {HEAT_LEVELS.map((level) => (
              <i key={level} className={`h-3 w-[18px] rounded-[4px] ${level}`} />
            ))}
            Busy
          </span>
        </header>
        <div className="hours-skeleton-rows">
          {LABELED_HOURS.map((hour) => (
            <span key={hour} data-hour={hour}>
              {wholeHourLabel(hour)}
            </span>
          ))}
          <i className="skeleton heat-wait-names" />
          <i className="skeleton heat-wait-cells" />
        </div>
      </div>
    </div>
  )
}

/** Labels of the last 24 hours, one per `hours`. */
function AxisContent({ hours }: { hours: number }) {
  return (
    <p className="axis-skeleton" data-axis={hours}>
      {Array.from({ length: 24 / hours }, (_, i) => (
        <span key={i} />
      ))}
    </p>
  )
}

/** Days of the week (WeekRow.tsx). */
export function WeekContent() {
  return [-6, -5, -4, -3, -2, -1, 0].map((day) => (
    <span key={day} data-day={day} className="week-skeleton">
      <span />
      <b />
    </span>
  ))
}

/** Strip of one camera (PhoneStrip.tsx). */
export function StripContent() {
  return (
    <div className="phone-strip-skeleton" inert>
      <header>
        <i className="skeleton h-4 w-24" />
        <i className="skeleton h-4 w-20" />
      </header>
      <i className="skeleton phone-strip-skeleton-bar" />
      <AxisContent hours={6} />
      <footer>
        <i className="skeleton h-3 w-40" />
        <Info size={18} aria-hidden />
      </footer>
    </div>
  )
}

/** Button of the filters, and the switch beside it (PhoneFilters.tsx). */
export function PhoneFiltersContent() {
  return (
    <div className="contents" inert>
      <button type="button" className="chip phone-filters-skeleton">
        <SlidersHorizontal size={18} aria-hidden />
        Filters
      </button>
      <VisitsContent />
    </div>
  )
}

/** Right end of the filter bar (FilterBarActions.tsx). */
export function FilterEndContent() {
  return (
    <div className="contents" inert>
      <VisitsContent />
    </div>
  )
}

function VisitsContent() {
  return (
    <div className="seg visits-toggle">
      <button type="button" aria-pressed>
        <Layers size={16} aria-hidden />
        <span>Visits</span>
      </button>
      <button type="button">
        <List size={16} aria-hidden />
        <span>All clips</span>
      </button>
    </div>
  )
}
