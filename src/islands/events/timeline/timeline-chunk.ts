/** Chunk boundary: the timeline, and the parts of the page that use it. */
export { EventsOverview } from '../parts/EventsOverview.tsx'
export { ZoneHint } from '../parts/ZoneSuggestion.tsx'
export { PhoneFilters } from './PhoneFilters.tsx'
export { PhoneStrip } from './PhoneStrip.tsx'
