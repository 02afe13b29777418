// nuxt-webhook-validators outside of Nuxt: its functions import `useRuntimeConfig` from Nuxt's `#imports`.

import { register } from "node:module";

const imports = `export const useRuntimeConfig = () => ({ webhook: globalThis.webhookConfig });`;
const hooks = `export const resolve = (name, context, next) =>
  name === "#imports"
    ? { url: "data:text/javascript,${encodeURIComponent(imports)}", shortCircuit: true }
    : next(name, context);`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);

const folder = "./node_modules/nuxt-webhook-validators/dist/runtime/server/lib/validators";

/** An adapter: the validator of one file, given the configuration that Nuxt would give it. */
export function nuxt(file, name, provider, setting = "secretKey") {
  return async ({ fetched }, key) => {
    const { H3Event } = await import("h3");
    const { [name]: validate } = await import(`${folder}/${file}.js`);
    globalThis.webhookConfig = { [provider]: { [setting]: key } };
    return validate(new H3Event(fetched()));
  };
}
