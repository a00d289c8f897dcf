import { useId } from 'react'
import { CAMERA_AREAS, type CameraArea } from '../../../../contract/cameras/camera-areas.ts'

const AREA_NAMES: Record<CameraArea, string> = {
  outside: 'Outside',
  inside: 'Inside',
  front: 'Front',
  back: 'Back',
  upstairs: 'Upstairs',
  downstairs: 'Downstairs',
}

interface AreaFieldsProps {
  areas: readonly CameraArea[]
  onChange: (areas: CameraArea[]) => void
}

/** Checkboxes for the camera areas. If no area is selected, the search uses the camera's name instead. */
export function AreaFields({ areas, onChange }: AreaFieldsProps) {
  const id = useId()
  const toggleArea = (toggledArea: CameraArea) =>
    CAMERA_AREAS.filter((area) => (area === toggledArea ? !areas.includes(area) : areas.includes(area)))
  return (
    <fieldset className="places" aria-describedby={id}>
      <legend>Location</legend>
      <small id={id}>
        Helps search understand words like “upstairs”. Without a location, search uses the camera’s name.
      </small>
      {CAMERA_AREAS.map((place) => (
        <label key={place}>
          <input type="checkbox" checked={areas.includes(place)} onChange={() => onChange(toggleArea(place))} />
          {AREA_NAMES[place]}
        </label>
      ))}
    </fieldset>
  )
}
