import { useId } from 'react'
import { CAMERA_PLACES, type CameraPlace } from '../../../../contract/cameras/camera-areas.ts'

const WORDS: Record<CameraPlace, string> = {
  outside: 'Outside',
  inside: 'Inside',
  front: 'Front',
  back: 'Back',
  upstairs: 'Upstairs',
  downstairs: 'Downstairs',
}

interface Props {
  places: readonly CameraPlace[]
  onChange: (places: CameraPlace[]) => void
}

/** Fields for the camera areas, which are independent of the camera's name. */
export function PlaceFields({ places, onChange }: Props) {
  const id = useId()
  const toggled = (place: CameraPlace) =>
    CAMERA_PLACES.filter((area) => (area === place ? !places.includes(area) : places.includes(area)))
  return (
    <fieldset className="places" aria-describedby={id}>
      <legend>Where it looks</legend>
      <small id={id}>The search finds “upstairs” by it. Without a choice, by the camera’s name.</small>
      {CAMERA_PLACES.map((place) => (
        <label key={place}>
          <input type="checkbox" checked={places.includes(place)} onChange={() => onChange(toggled(place))} />
          {WORDS[place]}
        </label>
      ))}
    </fieldset>
  )
}
