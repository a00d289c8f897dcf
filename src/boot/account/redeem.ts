import { couponOf } from '../../domain/coupon.ts'
import { $routeParams, setRouteParam } from '../../stores/shell/route-params.ts'

/** /account/redeem/choose: shows the coupon of the address, else the one that came before (STORE-03). */
const given = couponOf(location.search)

addEventListener('porchlight:session', () => {
  if (given) setRouteParam('coupon', given)
  const code = given ?? $routeParams.get()['coupon']
  const place = document.querySelector('[data-coupon]')
  if (place) place.textContent = code ?? ''
  document.getElementById('has-coupon')?.toggleAttribute('hidden', !code)
  document.getElementById('no-coupon')?.toggleAttribute('hidden', Boolean(code))
})
