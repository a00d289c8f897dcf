import { useStore } from '@nanostores/react'
import Layers from 'lucide-react/icons/layers'
import List from 'lucide-react/icons/list'
import { memo } from 'react'
import { $showsAllClips } from '../../../stores/events/visits.ts'
import { showAllClips } from '../../../stores/events/visit-actions.ts'

/** Switches the list between visits and single clips. */
export const VisitsToggle = memo(function VisitsToggle() {
  const showsAllClips = useStore($showsAllClips)
  return (
    <div className="seg visits-toggle" role="group" aria-label="List view">
      <button type="button" title="Visits" aria-pressed={!showsAllClips} onClick={() => showAllClips(false)}>
        <Layers size={16} aria-hidden />
        <span>Visits</span>
      </button>
      <button type="button" title="All clips" aria-pressed={showsAllClips} onClick={() => showAllClips(true)}>
        <List size={16} aria-hidden />
        <span>All clips</span>
      </button>
    </div>
  )
})
