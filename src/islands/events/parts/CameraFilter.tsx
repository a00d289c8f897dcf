import { useStore } from '@nanostores/react'
import { Cctv, ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { $address, changeFilter } from '../../../stores/event-address.ts'
import { $cameras } from '../../../stores/event-cameras.ts'

/** A menu of check boxes: none ticked shows every camera. */
export function CameraFilter() {
  const { cameras: chosen } = useStore($address).filter
  const cameras = useStore($cameras)
  const id = useId()
  const names = cameras.filter(({ device_id }) => chosen.includes(device_id)).map(({ nickname }) => nickname)
  const label = chosen.length === 0 ? 'All cameras' : names.length === 1 ? names[0] : `${chosen.length} cameras`

  const toggle = (device: string) =>
    changeFilter({
      cameras: chosen.includes(device) ? chosen.filter((other) => other !== device) : [...chosen, device],
    })

  return (
    <>
      <button
        type="button"
        className={`chip event-cameras ${chosen.length > 0 ? 'border-primary-line! bg-primary-soft! text-primary-ink!' : ''}`}
        popoverTarget={id}
        aria-haspopup="true"
      >
        <Cctv size={16} aria-hidden />
        {label}
        <ChevronDown size={16} aria-hidden />
      </button>
      <div
        id={id}
        popover="auto"
        className="event-camera-menu border-line bg-surface text-ink shadow-menu rounded-[18px] border p-2"
      >
        <fieldset>
          <legend className="sr-only">Cameras</legend>
          {cameras.map(({ device_id, nickname }) => (
            <label
              key={device_id}
              className="hover:bg-sunken flex h-11 min-w-52 cursor-pointer items-center gap-3 rounded-[10px] px-2.5 font-bold"
            >
              <input
                type="checkbox"
                className="accent-primary size-[18px]"
                checked={chosen.includes(device_id)}
                onChange={() => toggle(device_id)}
              />
              {nickname}
            </label>
          ))}
          {cameras.length === 0 && <p className="text-small text-ink-2 px-2.5 py-2">No cameras to choose from.</p>}
        </fieldset>
      </div>
    </>
  )
}
