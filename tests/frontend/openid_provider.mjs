// A real OpenID provider on this machine, by npm's `oidc-provider`: whoever types a name is signed in under it.
// Arguments: port, and the address of the arena whose provider it is.

import Provider from "oidc-provider";

const [port, arena] = process.argv.slice(2);
const issuer = `http://127.0.0.1:${port}`;
const CLAIMS = { email: ["email", "email_verified"], groups: ["groups"] };

const person = (name) => ({ sub: name, email: `${name}@example.edu`, email_verified: true, groups: [name === "root" ? "staff" : "students"] });

const provider = new Provider(issuer, {
  claims: { openid: ["sub"], ...CLAIMS },
  clients: [{
    client_id: "arena",
    client_secret: "a secret of this test, and of nothing else",
    redirect_uris: [`${arena}/api/v1/sign-in/example/callback`],
    post_logout_redirect_uris: [`${arena}/sign-in`],
  }],
  cookies: { keys: ["a key of this test"] },
  findAccount: (_, name) => ({ accountId: name, claims: () => person(name) }),
  scopes: ["openid", "email", "groups"],
});
provider.listen(Number(port), "127.0.0.1", () => console.log("ready"));
