import { CAMERA_BRANDS, findCameraBrand, listSearchPaths } from '../../../../contract/cameras/camera-brands.ts'
import { BrandWarning, MenuPath } from './BrandSelect.tsx'

const CHOICES: readonly { id: string; name: string }[] = [...CAMERA_BRANDS, { id: '', name: 'Other' }]

/** Instructions for the chosen brand. The chips and the select of the form set the same value. */
export function BrandGuide({ brand: id, setBrand }: { brand: string; setBrand: (brand: string) => void }) {
  const brand = findCameraBrand(id)
  return (
    <section className="add-guide" aria-labelledby="add-guide-title">
      <header>
        <h3 id="add-guide-title">Where to turn on RTSP</h3>
        <small>Many cameras ship with RTSP turned off</small>
      </header>
      <div className="add-guide-brands" role="group" aria-label="Brand">
        {CHOICES.map((choice) => (
          <button
            key={choice.id}
            type="button"
            className="chip"
            aria-pressed={choice.id === id}
            onClick={() => setBrand(choice.id)}
          >
            {choice.name}
          </button>
        ))}
      </div>
      <div className="add-guide-body">
        <ol>
          <li>
            <b>Turn on RTSP{brand ? ` in the ${brand.name} settings` : ''}</b>
            {brand ? (
              <MenuPath items={brand.menu} />
            ) : (
              <p>Look in the camera’s app or web interface, under network settings.</p>
            )}
          </li>
          <li>
            <b>Keep the sub-stream on</b>
            <p>640 × 360 in H.264 is enough for motion detection and slow connections.</p>
          </li>
          <li>
            <b>Use the camera’s own login</b>
            <p>{brand?.login ?? 'A viewer account works. The app password usually doesn’t.'}</p>
          </li>
        </ol>
        <GuidePaths id={id} warning={brand?.warning ?? ''} />
      </div>
    </section>
  )
}

function GuidePaths({ id, warning }: { id: string; warning: string }) {
  const ownPaths = findCameraBrand(id)?.streams.flatMap(({ main, sub }) => (sub === null ? [main] : [main, sub]))
  const paths = ownPaths?.length ? ownPaths : listSearchPaths(id).map(({ main }) => main)
  return (
    <div className="add-guide-paths">
      <h4>Stream paths we’ll try</h4>
      <ul>
        {paths.map((path) => (
          <li key={path}>
            <code>{path}</code>
          </li>
        ))}
      </ul>
      {warning !== '' && <BrandWarning text={warning} />}
    </div>
  )
}
