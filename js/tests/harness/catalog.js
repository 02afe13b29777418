// Catalogue of the fake kernel: a few providers, their events, and bodies.
export const CATALOG = {
  providers: [
    {
      id: "payment",
      title: "Payment",
      within_s: 3,
      kind: "payment",
      confidence: { scheme: "seed", headers: "seed", bodies: "seed" },
      docs: [],
      key: {
        type: "secret",
        title: "Signing secret",
        form: "utf8",
        strip_prefix: "",
        note: "used as text",
        example: { prefix: "", alphabet: "hex", length: 32 },
      },
      schemes: [{ name: "v1", title: "Version 1" }],
      events: [{ name: "payment.succeeded", category: "payment", title: "Payment succeeded" }],
    },
    {
      id: "stripe",
      title: "Stripe",
      kind: "payment",
      confidence: { scheme: "sdk", headers: "captured", bodies: "model" },
      unconfirmed: ["User-Agent"],
      docs: ["https://docs.example.com/webhooks"],
      key: {
        type: "secret",
        title: "Signing secret",
        form: "utf8",
        strip_prefix: "whsec_",
        note: "used as text including whsec_",
        example: { prefix: "whsec_", alphabet: "base62", length: 32 },
      },
      schemes: [{ name: "v1", title: "Version 1" }],
      events: [
        { name: "payment_intent.succeeded", category: "Payment", title: "Payment succeeded" },
        { name: "payment_intent.payment_failed", category: "Payment", title: "Payment failed" },
        { name: "customer.subscription.created", category: "Subscription", title: "Subscription created" },
      ],
      params: [
        { name: "amount", title: "Amount", kind: "integer", hint: "a whole number" },
        { name: "currency", title: "Currency", kind: "currency", hint: "three letters, such as eur" },
        { name: "id", title: "Payment", kind: "id", hint: "" },
        { name: "email", title: "E-mail of the customer", kind: "email", hint: "an address" },
      ],
    },
    {
      id: "vault",
      title: "Vault",
      kind: "generic",
      confidence: { scheme: "docs", headers: "docs", bodies: "docs" },
      docs: [],
      key: {
        type: "secret",
        title: "Key",
        form: "base64",
        strip_prefix: "key_",
        note: "base64 after key_",
        example: { prefix: "key_", alphabet: "base64", length: 24 },
      },
      schemes: [
        { name: "a", title: "Version A" },
        { name: "b", title: "Version B" },
      ],
      events: [{ name: "item.created", category: "", title: "" }],
    },
    {
      id: "discord",
      title: "Discord",
      kind: "messaging-interaction",
      confidence: { scheme: "sdk", headers: "captured", bodies: "model" },
      docs: [],
      key: { type: "key-pair", title: "Public key", algorithm: "ed25519", public_form: "hex" },
      schemes: [{ name: "ed25519", title: "Ed25519" }],
      events: [{ name: "ping", category: "interaction", title: "Ping" }],
    },
    {
      id: "parcel",
      title: "Parcel",
      kind: "generic",
      confidence: { scheme: "docs", headers: "docs", bodies: "docs" },
      docs: [],
      key: { type: "key-pair", title: "Certificate", algorithm: "rsa", public_form: "certificate" },
      schemes: [{ name: "rsa", title: "RSA" }],
      events: [{ name: "parcel.sent", category: "parcel", title: "Parcel sent" }],
    },
    {
      id: "gate",
      title: "Gate",
      kind: "generic",
      confidence: { scheme: "docs", headers: "docs", bodies: "docs" },
      unconfirmed: [],
      docs: [],
      key: {
        type: "secret",
        title: "Access token",
        form: "utf8",
        strip_prefix: "",
        note: "sent as it is",
        example: { prefix: "", alphabet: "hex", length: 32 },
      },
      schemes: [{ name: "token", title: "Token" }],
      events: [{ name: "build.done", category: "build", title: "Build done" }],
    },
    {
      id: "twilio",
      title: "Twilio",
      kind: "telephony",
      confidence: { scheme: "sdk", headers: "captured", bodies: "model" },
      docs: [],
      key: {
        type: "secret",
        title: "Auth token",
        form: "utf8",
        strip_prefix: "",
        note: "used as text",
        example: { prefix: "", alphabet: "hex", length: 32 },
      },
      schemes: [{ name: "form", title: "Form" }],
      events: [{ name: "sms.received", category: "sms", title: "SMS received" }],
    },
  ],
};

export const EVENT_BODY = `{
  "id": "evt_1TestA0000000000000001",
  "object": "event",
  "api_version": "2026-09-30",
  "created": 1795262400,
  "type": "payment_intent.succeeded",
  "data": {
    "object": {
      "id": "pi_3TestA0000000000000001",
      "amount": 2000,
      "currency": "usd",
      "description": "caf\\u00e9 \u2615 ü",
      "livemode": false,
      "status": "succeeded"
    }
  }
}
`;
export const LANGUAGES = [
  { id: "python", title: "Python" },
  { id: "javascript", title: "JavaScript" },
  { id: "go", title: "Go" },
];
export const FORM_BODY = "From=%2B15550100&To=%2B15550101&Body=Hello+TEST&NumMedia=0";

export const HASH = `9f3c${"0".repeat(58)}e1`;
